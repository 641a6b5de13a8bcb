"""Functions inside a range, for range as a decorator."""

import functools
import inspect


def decorated(name, function):
    from batchscope._core import range

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
