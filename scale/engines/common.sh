# What the engines' scripts share. They set: home, jar and run (folders and the jar of the engine), patience (seconds).
# shellcheck shell=bash disable=SC2154

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

needs() { # command, what it is
	command -v "$1" >/dev/null || fail "$2 is needed: there is no command $1"
}

# package builds the engine's jar by Maven, unless one of the same pom and versions is there.
package() { # pom, options
	local pom="$1" stamp
	shift
	stamp="$(cat "$pom" - <<<"$*" | cksum)"
	if [ -f "$jar" ] && [ "$(cat "$jar.stamp" 2>/dev/null)" = "$stamp" ]; then
		return
	fi
	mkdir -p "$home"
	home="$(cd "$home" && pwd)"
	echo "building $jar"
	# A connection that gives nothing for a minute is given up, and what is missing is fetched again; what came stays.
	local try patient=(-Dmaven.wagon.rto=60000 -Dmaven.wagon.http.retryHandler.count=5 -Daether.connector.requestTimeout=60000)
	for try in 1 2 3; do
		if mvn -q -B -U -f "$pom" "-Dengine.build=$home/build" "${patient[@]}" "$@" package >"$home/build.log" 2>&1; then break; fi
		if [ "$try" = 3 ] || ! grep -q 'Could not \(transfer\|resolve\)\|could not be resolved\|timed out' "$home/build.log"; then
			grep -m 5 ERROR "$home/build.log" >&2 || true
			fail "Maven did not build the engine: see $home/build.log"
		fi
		echo "Maven did not get all that it needs: once more"
	done
	mv "$home/build/engine.jar" "$jar"
	rm -rf "$home/build"
	echo "$stamp" >"$jar.stamp"
}

# alive tells whether a process that was started under a name still runs. A process id may be another's by now, so its command counts.
alive() {
	[ -f "$run/$1.pid" ] && [[ "$(ps -p "$(cat "$run/$1.pid")" -o args= 2>/dev/null)" == *"$jar"* ]]
}

launch() { # name, arguments of java
	local name="$1"
	shift
	if alive "$name"; then return; fi
	mkdir -p "$run/log" "$run/tmp"
	nohup java -XX:+UseSerialGC "-Djava.io.tmpdir=$run/tmp" -Dorg.slf4j.simpleLogger.showDateTime=true "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS" \
		"$@" </dev/null >"$run/log/$name" 2>&1 &
	echo $! >"$run/$name.pid"
	until alive "$name" || ! kill -0 $! 2>/dev/null; do sleep 0.05; done # until then it is this script once more
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free fails where a port is another's already.
free() { # name, ports
	local name="$1" port
	shift
	if alive "$name"; then return; fi
	for port; do
		if listens "$port"; then fail "port $port is taken: another cluster runs, or choose ports as the head of $0 says"; fi
	done
}

# await waits until a check holds, as long as the named processes live.
await() { # check, names
	local check="$1" name end=$((SECONDS + patience))
	shift
	until "$check"; do
		for name; do
			alive "$name" || { tail -n 5 "$run/log/$name" >&2; fail "$name ended: see $run/log/$name"; }
		done
		[ $SECONDS -lt $end ] || fail "not ready within $patience seconds: see $run/log"
		sleep 0.3
	done
}

names() { for f in "$run"/*.pid; do [ -f "$f" ] && basename "$f" .pid; done; }

report() {
	local name
	for name in $(names); do
		if alive "$name"; then echo "$name runs as process $(cat "$run/$name.pid")"; else echo "$name does not run"; fi
	done
}

# halt ends the processes, first kindly, and removes what they left but their logs.
halt() {
	local name
	for name in $(names); do
		if alive "$name"; then kill "$(cat "$run/$name.pid")" 2>/dev/null || true; fi
	done
	for name in $(names); do
		for _ in $(seq 50); do alive "$name" || break; sleep 0.1; done
		if alive "$name"; then kill -9 "$(cat "$run/$name.pid")" 2>/dev/null || true; fi
		for _ in $(seq 600); do alive "$name" || break; sleep 0.1; done # it writes to the last
		rm -f "$run/$name.pid"
	done
	rm -rf "$run/tmp"
}
