"""The tool-info module for BenchExec: what dbverify is asked about a task of SV-COMP, and what its answer is called.

    PYTHONPATH=bench/c benchexec benchmark.xml                       with <benchmark tool="benchexec_info.dbverify" ...> there
    PYTHONPATH=bench/c python -m benchexec.test_tool_info benchexec_info.dbverify

A task is a C program, one property, and a data model. A verdict without a bug counts only if it is of all schedules.
"""
import json

import benchexec.result as result
import benchexec.tools.template


# Kinds of errors: what SV-COMP calls a task in which they happen.
FALSE = {
    "assertion": result.RESULT_FALSE_REACH,
    "deref": result.RESULT_FALSE_DEREF,
    "index": result.RESULT_FALSE_DEREF,
    "free": result.RESULT_FALSE_FREE,
    "leak": result.RESULT_FALSE_MEMTRACK,
    "overflow": result.RESULT_FALSE_OVERFLOW,
    "race": result.RESULT_FALSE_DATARACE,
}
MODELS = ("ILP32", "LP64")


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("dbverify")

    def name(self):
        return "dbverify"

    def version(self, executable):
        return self._version_from_tool(executable).removeprefix("dbverify").strip()

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, *task.input_files, "--format", "json", "--delays", "any", "--require-exhaustive"]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model") in MODELS:
            command += ["--data-model", task.options["data_model"]]
        if rlimits.cputime:
            command += ["--timeout", str(max(1, rlimits.cputime - 5))]
        return command + options

    def determine_result(self, run):
        text = "".join(run.output)
        try:
            answer = json.loads(text[text.index("{"):])
        except ValueError:
            return result.RESULT_ERROR
        verdict = answer.get("verdict")
        if verdict in ("safe", "proved"):
            return result.RESULT_TRUE_PROP
        if verdict == "bug":
            kind = answer["error"]["kind"]
            return FALSE.get(kind, f"{result.RESULT_FALSE_PROP}({kind})")
        if verdict == "inconclusive":
            return result.RESULT_UNKNOWN
        # What is not read: diagnostics stand in the place of a verdict.
        return f"{result.RESULT_UNKNOWN}(refused)"
