"""Answers one question of the program about this interpreter or a model in it: `python -m batchscope._inside.facts`.

The question comes, and the answer goes, as a line of JSON through the connection of a worker; libs/measuring/engines/src/python
describes their fields.
"""

import json
import os
import socket
import sys

from batchscope._explain import explain
from batchscope._inside import host
from batchscope._inside.worker import SOCKET


def answer(question):
    try:
        facts = host.facts_of(question) if question["model"] else host.facts_of_interpreter()
        return {"protocol": host.PROTOCOL, **facts}
    except BaseException as raised:
        return {"protocol": host.PROTOCOL, "refusal": explain(raised)}


def main():
    try:
        os.fstat(SOCKET)
    except OSError:
        # By hand, to see what is wrong: the model's name as the argument.
        question = {"model": "".join(sys.argv[1:2]), "inputs": sys.argv[2:], "seed": 0}
        print(json.dumps(answer(question), indent=2))
        return
    os.set_inheritable(SOCKET, False)
    connection = socket.socket(fileno=SOCKET)
    with connection.makefile("r") as lines:
        question = json.loads(lines.readline())
    connection.sendall((json.dumps(answer(question)) + "\n").encode())
    os._exit(0)


if __name__ == "__main__":
    main()
