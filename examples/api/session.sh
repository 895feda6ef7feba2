#!/bin/sh
# A session with kindred by its HTTP API, with curl and the tools that every system has.
#
#   kindred serve .                                        # in another terminal
#   KINDRED_TOKEN=$(kindred token .) ./session.sh [FILE]
#
# It begins a project on the iris sample, answers its questions, takes one answer back and gives it again, shows the
# groups, and downloads the partition to FILE (partition.csv). KINDRED_ADDRESS is where the server is, if not at
# http://127.0.0.1:5463.
set -eu

: "${KINDRED_TOKEN:?give what kindred token prints, as KINDRED_TOKEN}"
out=${1:-partition.csv}
base=${KINDRED_ADDRESS:-http://127.0.0.1:5463}

# call METHOD PATH [BODY]: one call of the API; its answer goes to stdout. The token is handed over on stdin, as the list of
# processes shows arguments to everybody.
call() {
	if [ $# -gt 2 ]; then
		set -- "$1" "$2" --header 'Content-Type: application/json' --data "$3"
	fi
	method=$1 path=$2
	shift 2
	printf 'header = "Authorization: Bearer %s"\n' "$KINDRED_TOKEN" |
		curl --config - --silent --show-error --fail-with-body --request "$method" "$@" "$base/api/v1$path"
}

# first NAME: the first value of that name in JSON on stdin, a number or a text without quotes in it.
first() {
	grep -o "\"$1\":\"\\{0,1\\}[^,\"}]*" | head -n 1 | sed "s/^\"$1\":\"\\{0,1\\}//"
}

begun=$(call POST /projects '{"data": "iris", "settings": {"super-instances": "10"}}')
id=$(echo "$begun" | first id)
p=/projects/$id
echo "project $id"

# The data are read in the background. While they are, the calls about the project answer with status 409.
until call GET "$p" >/dev/null 2>&1; do
	sleep 0.1
	call GET /me >/dev/null # the script ends where the server is gone
done

# Questions: the three species come 50 rows each, so the example knows the answers.
asked=0
settled=
while :; do
	turn=$(call GET "$p/turn")
	case $turn in
	*'"done":'*)
		[ -n "$settled" ] && break
		# There may be no question just because the groups are still being worked out.
		while [ -z "$settled" ]; do
			state=$(call GET "$p") # not in a condition, for the same reason
			case $state in
			*'"fitting":false'*) settled=yes ;;
			*) sleep 0.1 ;;
			esac
		done
		continue
		;;
	esac
	settled=
	# Of each question the rows of a and b come first.
	rows=$(printf '%s' "$turn" | grep -o '"row":[0-9]*' | head -n 2 | cut -d : -f 2)
	a=$(echo "$rows" | sed -n 1p)
	b=$(echo "$rows" | sed -n 2p)
	answer=different
	[ $((a / 50)) -eq $((b / 50)) ] && answer=same
	# The id is ours: were the connection lost, the same call again would change nothing.
	call POST "$p/answers" "{\"id\": \"sh-$a-$b\", \"a\": $a, \"b\": $b, \"answer\": \"$answer\", \"question\": $((asked + 1))}" >/dev/null
	asked=$((asked + 1))
done
echo "answered $asked questions"

call POST "$p/undo" '{"id": "sh-undo"}' >/dev/null
call POST "$p/redo" '{"id": "sh-redo"}' >/dev/null
echo "the history has $(call GET "$p/history?limit=1" | first total) steps"

echo "groups: $(call GET "$p" | first clusters)"
call GET "$p/groups" | grep -o '"size":[0-9]*' | cut -d : -f 2 | sed 's/^/  of size /'

call GET "$p/exports/partition.csv" >"$out"
echo "the partition is in $out"
