"""The Python worker: loads a handler of its working folder and runs jobs through it until it is told to stop.

Its first argument is the file, handler.py without one; the others are passed on to it. Started by the engine with the worker
protocol's variables in its environment. Python 3.9 or newer, standard library only.
"""

import ast
import importlib
import importlib.util
import os
import runpy
import signal
import sys

KIT_DIR = os.path.dirname(os.path.abspath(__file__))
HANDLER_FILE = sys.argv[1] if len(sys.argv) > 1 else "handler.py"


def imports_sdk(source):
    """Whether the file imports the public SDK, by whatever spelling."""
    for node in ast.walk(ast.parse(source, HANDLER_FILE)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        if any(name.split(".")[0] == "runpod" for name in names):
            return True
    return False


def provide_sdk():
    """Makes `import runpod` work. Returns a list that is no longer empty once the file has started a worker through it."""
    if importlib.util.find_spec("runpod") is None:
        sys.path.append(os.path.join(KIT_DIR, "standin"))
    import runpod.serverless

    started = []
    start = runpod.serverless.start

    def noted_start(*args, **kwargs):
        started.append(True)
        return start(*args, **kwargs)

    runpod.serverless.start = noted_start
    return started


def stop():
    if Worker.current is not None:
        Worker.current.terminate()
    else:
        signal.raise_signal(signal.SIGTERM)  # The public SDK's loop, or a handler that is still being loaded.


def show_error(kind, error, frames):
    leave_out_own_frames(error)
    is_own_fault = error.__traceback__ is None and not isinstance(error, SyntaxError)
    sys.__excepthook__(kind, error, frames if is_own_fault else error.__traceback__)


def main():
    # As where Python itself starts the file, its folder comes first on the path, and then the one it was started in. The kit is
    # not on it, so that no name of ours can shadow theirs.
    handler_dir = os.path.dirname(os.path.abspath(HANDLER_FILE))
    sys.path[0] = handler_dir
    if handler_dir != os.getcwd():
        sys.path.insert(1, os.getcwd())
    sys.argv = [HANDLER_FILE, *sys.argv[2:]]
    with open(HANDLER_FILE, "rb") as file:
        source = file.read()
    if imports_sdk(source):
        started = provide_sdk()
        try:
            names = runpy.run_path(HANDLER_FILE, run_name="__main__")
        except ImportError as error:
            if (error.name or "").startswith("runpod.") and os.path.join(KIT_DIR, "standin") in sys.path:
                error.msg += ". Hangar's stand-in for the SDK has only the common part: pip install runpod"
            raise
        if started:
            return
        find = names.get
    else:
        # Its real name, so that what it defines can be pickled for worker processes of its own.
        module = importlib.import_module(os.path.splitext(os.path.basename(HANDLER_FILE))[0])
        find = vars(module).get
    handler = find("handler")
    if not callable(handler):
        raise SystemExit(f"{HANDLER_FILE} must define handler(job), or call runpod.serverless.start(...).")
    concurrency = find("concurrency", 1)
    slots = concurrency if callable(concurrency) else lambda _: concurrency
    Worker(handler, aggregate=find("aggregate_stream") is True, slots=slots).run()


if __name__ == "__main__":
    from hangar_worker.frames import leave_out_own_frames
    from hangar_worker.watch import watch_parent
    from hangar_worker.worker import Worker

    sys.excepthook = show_error
    watch_parent(stop)
    main()
