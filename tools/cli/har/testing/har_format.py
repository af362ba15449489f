"""What HAR 1.2 demands: http://www.softwareishard.com/blog/har-12-spec. Names are those of the format."""

import datetime

ENTRY = {"startedDateTime": str, "time": float, "request": dict, "response": dict, "cache": dict, "timings": dict}
REQUEST = {"method": str, "url": str, "httpVersion": str, "cookies": list, "headers": list, "queryString": list,
           "headersSize": int, "bodySize": int}  # fmt: skip
RESPONSE = {"status": int, "statusText": str, "httpVersion": str, "cookies": list, "headers": list, "content": dict,
            "redirectURL": str, "headersSize": int, "bodySize": int}  # fmt: skip
PAIR = {"name": str, "value": str}
CONTENT = {"size": int, "mimeType": str}
POST_DATA = {"mimeType": str, "text": str}
TIMINGS = {"send": float, "wait": float, "receive": float}
MESSAGE = {"type": str, "time": float, "opcode": int, "data": str}


class Wrong(Exception):
    pass


def demand(is_right, where, what):
    if not is_right:
        raise Wrong(f"{where}: {what}")


def check_fields(value, fields, where):
    for name, kind in fields.items():
        demand(name in value, where, f"no {name}")
        kinds = (int, float) if kind is float else kind
        demand(isinstance(value[name], kinds) and not isinstance(value[name], bool), where, f"{name} is no {kind.__name__}")


def check_all(values, fields, where):
    for at, value in enumerate(values):
        check_fields(value, fields, f"{where}[{at}]")


def check_entry(entry, where):
    check_fields(entry, ENTRY, where)
    datetime.datetime.strptime(entry["startedDateTime"][:19], "%Y-%m-%dT%H:%M:%S")
    demand(entry["startedDateTime"].endswith("Z"), where, "startedDateTime without a zone")
    request, response = entry["request"], entry["response"]
    check_fields(request, REQUEST, f"{where}.request")
    check_all(request["headers"], PAIR, f"{where}.request.headers")
    check_all(request["queryString"], PAIR, f"{where}.request.queryString")
    if "postData" in request:
        check_fields(request["postData"], POST_DATA, f"{where}.request.postData")
    check_fields(response, RESPONSE, f"{where}.response")
    check_all(response["headers"], PAIR, f"{where}.response.headers")
    check_fields(response["content"], CONTENT, f"{where}.response.content")
    timings = entry["timings"]
    check_fields(timings, TIMINGS, f"{where}.timings")
    demand(min(timings.values()) >= 0, where, "a negative timing")
    demand(abs(sum(timings.values()) - entry["time"]) < 0.001, where, "time is not the sum of the timings")
    for message in entry.get("_webSocketMessages", []):
        check_fields(message, MESSAGE, f"{where}._webSocketMessages")
        demand(message["type"] in ("send", "receive"), where, "a message of another type")


def check(har):
    """Raises Wrong if a parsed text is not HAR 1.2."""
    log = har["log"]
    demand(log["version"] == "1.2", "log", "another version")
    check_fields(log["creator"], {"name": str, "version": str}, "log.creator")
    for at, entry in enumerate(log["entries"]):
        check_entry(entry, f"log.entries[{at}]")
