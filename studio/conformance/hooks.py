"""What schemathesis has to know of kindred: projects that there are, and their rows."""

import os
from urllib.parse import quote

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

ROWS = int(os.environ["KINDRED_ROWS"])
ROW_NAMES = {"row", "a", "b"}


def well_formed(case, location):
    """Whether this part of a request is as the description says."""
    part = case.meta.components.get(location) if case.meta else None
    return part is not None and part.mode == GenerationMode.POSITIVE


def within(values):
    """Takes three of four whole numbers for rows to rows that there are."""
    for name in ROW_NAMES & values.keys():
        v = values[name]
        if isinstance(v, str) and v.isdigit() and int(v) % 4:
            values[name] = str(int(v) % ROWS)
        elif isinstance(v, int) and not isinstance(v, bool) and v % 4:
            values[name] = v % ROWS
    if "a" in values and values["a"] == values.get("b"):
        other = (int(values["a"]) + 1) % ROWS
        values["b"] = str(other) if isinstance(values["a"], str) else other


def sound(body):
    """Names data that there are, and leaves out two of three sets of settings, most of which no
    method has."""
    if "data" in body:
        if len(body["data"]) % 4:
            body["data"] = "rows.csv"
        if sum(map(len, body.get("settings", {}).values())) % 3:
            del body["settings"]
    for pair in body.get("pairs", []):
        within(pair)
    within(body)


def short(values):
    """Whether values fit an address: Go itself refuses longer ones, and not with a problem."""
    return values is None or sum(len(quote(str(v))) for v in values.values()) < 4000


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return short(path_parameters)


@schemathesis.hook
def filter_query(context, query):
    return short(query)


@schemathesis.hook
def before_call(context, case, kwargs):
    if well_formed(case, ParameterLocation.PATH):
        if "p" in case.path_parameters:
            pictured = case.operation.path.endswith("/picture")
            case.path_parameters["p"] = "pictures" if pictured else "rows"
        within(case.path_parameters)
    if case.query and well_formed(case, ParameterLocation.QUERY):
        within(case.query)
    if isinstance(case.body, dict) and well_formed(case, ParameterLocation.BODY):
        sound(case.body)


@schemathesis.check
def not_refused_as_malformed(ctx, response, case):
    """A request that is as described is not refused as one that is not."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if response.status_code >= 400 and response.json()["type"].endswith("/request"):
        raise AssertionError(f"a request as described was refused: {response.text}")
