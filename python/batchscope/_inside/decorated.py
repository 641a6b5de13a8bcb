"""Functions inside a range, for range as a decorator."""

import functools
import inspect


def decorated(name, function):
    from batchscope._core import range

    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"range({name!r}) cannot decorate the generator {function.__name__}, because its body runs "
                        f"later: put `with range({name!r}):` inside it")
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*arguments, **named):
            with range(name):
                return await function(*arguments, **named)

        return awaited

    @functools.wraps(function)
    def called(*arguments, **named):
        with range(name):
            return function(*arguments, **named)

    return called
