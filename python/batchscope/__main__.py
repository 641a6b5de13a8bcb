"""python -m batchscope: the program itself."""

from batchscope._client.program import main

main()
