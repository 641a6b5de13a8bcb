"""What the program starts for a visit of a model in Python: `python -m batchscope._inside.worker [FOLDER OF PLUGINS...]`."""

import os
import sys

SOCKET = 3  # where the program's end of the connection is, as for every worker


def main():
    try:
        os.fstat(SOCKET)
    except OSError:
        sys.exit("error: only the program batchscope may start a worker")
    # What a model starts must not keep the connection open after this process has ended.
    os.set_inheritable(SOCKET, False)
    from batchscope import _core
    from batchscope._inside import host

    code = _core.serve(SOCKET, host.load, sys.argv[1:])
    # Threads of a model that never end, and what runs at exit, are nobody's business any more.
    os._exit(code)


if __name__ == "__main__":
    main()
