"""Asks Rondo one thing over RPC, with nothing but Python's standard library.

    python3 rpc.py "what is in this folder?" [command that starts rondo, default: rondo]
"""

import json
import subprocess
import sys

if len(sys.argv) < 2:
    sys.exit(__doc__)
question, command = sys.argv[1], sys.argv[2:] or ["rondo"]
rondo = subprocess.Popen([*command, "--mode", "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(**request):
    rondo.stdin.write(json.dumps(request).encode() + b"\n")
    rondo.stdin.flush()


send(id="1", type="prompt", message=question)
for raw in rondo.stdout:
    line = json.loads(raw)
    if line["type"] == "response" and not line["ok"]:
        sys.exit(line["error"])
    if line["type"] == "permission_question":
        # Nothing that changes anything is allowed here.
        send(id="answer", type="permission_answer", questionId=line["questionId"], allow=False)
    if line["type"] != "event":
        continue
    event = line["event"]
    if event["type"] == "message_update" and event["event"]["type"] == "text_delta":
        print(event["event"]["delta"], end="", flush=True)
    if event["type"] == "agent_end":
        print()
        break

rondo.stdin.close()
sys.exit(rondo.wait())
