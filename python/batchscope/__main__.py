"""python -m batchscope: the program itself."""

from batchscope._program import main

main()
