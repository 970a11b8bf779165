"""Writes docs/reliability.md: the attacks with their memory and time, faults, fuzzing.

    python fuzz/reliability.py [attacks] [faults] [fuzzing] [SECONDS PER FUZZ TARGET]

It runs every attack of the package `attacks` on the real program, the tests of faults, and the fuzz
targets. A table is written only if nothing failed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
REPOSITORY = FUZZ.parent
PAGE = REPOSITORY / "docs" / "reliability.md"
MOST_MEGABYTES = 600
"""What a command may take for any attack: the limits allow 256 MB per alignment."""
FAULTS = {
    "a worker is killed while it scores": "test_bulk_faults.py::test_a_worker_that_is_killed",
    "workers are killed while they start":
        "test_bulk_faults.py::test_a_worker_that_is_killed_while_it_starts",
    "the client is killed, or stopped by Ctrl+C, and started again":
        "test_bulk_faults.py::test_a_client_that_is_killed_and_started_again",
    "Ctrl+C while workers start": "test_bulk_faults.py::test_ctrl_c_while_workers_start",
    "a torn file of results": "test_bulk_faults.py::test_a_torn_file",
    "a file that becomes too large": "test_bulk_faults.py::test_no_room_for_a_file",
    "a full disk": "test_bulk_faults.py::test_a_disk_that_is_full",
    "a corrupt shard that is replaced":
        "test_bulk_faults.py::test_a_corrupt_shard_that_is_replaced",
    "a damaged record of a finished part":
        "../unit/test_bulk_resume.py::test_a_damaged_record_is_made_again",
    "two runs in one folder":
        "../unit/test_bulk_resume.py::test_another_run_in_the_same_folder_is_refused",
    "a failed command that was to replace a file":
        "test_attacks.py::test_a_failed_command_keeps_the_file_that_it_was_to_replace",
    "a writer that is killed": "../unit/test_writing.py::test_a_killed_writer_keeps_the_old_file",
    "a writer of several files that is killed":
        "../unit/test_writing.py::test_a_killed_writer_of_several_files_leaves_none",
    "Ctrl+C twice in quick succession": "test_last_net.py::test_an_impatient_second_ctrl_c",
    "two writers of one file": "../unit/test_writing.py::test_two_writers_leave_one_whole_file",
    "a disk that is full while a file is replaced":
        "../unit/test_writing.py::test_a_full_disk_keeps_the_old_file",
    "a rename that fails": "../unit/test_writing.py::test_a_failed_rename_undoes_those_before_it",
    "a file to which a step adds cannot be written":
        "../unit/test_writing.py::test_what_cannot_be_added_whole_is_not_added",
    "a campaign of judgments that cannot be made": "../judge/test_judge_database.py::"
        "test_a_campaign_that_cannot_be_made_leaves_nothing_behind",
    "a campaign of judgments whose maker is killed": "../judge/test_judge_database.py::"
        "test_a_campaign_whose_maker_is_killed_has_no_name",
    "a campaign of judgments whose maker is told to stop": "../judge/test_judge_database.py::"
        "test_a_maker_that_is_told_to_stop_leaves_nothing",
    "a backup of a campaign that cannot be made": "../judge/test_judge_database.py::"
        "test_a_backup_that_cannot_be_made_leaves_nothing",
    "a damaged cache": "../unit/test_neural_store.py::test_a_damaged_file_is_replaced",
    "a damaged cache of annotations":
        "../unit/test_errant_store.py::test_a_file_that_is_not_a_store_is_replaced",
    "a damaged value in a cache": "../unit/test_neural_store.py::test_a_damaged_row_is_not_read",
    "a forged value in a cache": "../unit/test_neural_store.py::"
        "test_a_forged_row_that_holds_no_scores_is_not_read",
    "a forged value in a cache of annotations": "../unit/test_errant_store.py::"
        "test_a_forged_row_that_holds_no_edits_is_not_read",
    "a cache that another program locks": "../unit/test_neural_store.py::"
        "test_a_run_goes_on_with_a_store_that_another_program_locks",
    "a cache that two processes write":
        "../unit/test_neural_store.py::test_two_processes_at_once",
    "a cache whose writer is killed":
        "../unit/test_errant_store.py::test_a_writer_that_is_killed_leaves_a_sound_file",
    "a cache that cannot be written": "../unit/test_neural_store.py::"
        "test_a_run_goes_on_without_a_store_that_cannot_be_written",
    "a killed server of judgments":
        "../judge/test_judge_killed.py::test_nothing_is_lost_and_nothing_counts_twice",
}  # fmt: skip
"""Each fault, and the test that causes it and checks that no result is lost."""


_MEASURE = """
import json, os, subprocess, sys, tempfile
with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
    started = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err)
    _, status, used = os.wait4(started.pid, 0)
    texts = []
    for file in (out, err):
        file.seek(0)
        texts.append(file.read().decode())
scale = 1 if sys.platform == "darwin" else 1024
memory, seconds = used.ru_maxrss * scale / 1e6, used.ru_utime + used.ru_stime
print(json.dumps([os.waitstatus_to_exitcode(status), *texts, memory, seconds]))
"""


def measured(arguments: list[str]) -> tuple[subprocess.CompletedProcess[str], float, float]:
    """The finished program, its largest memory in MB, and its seconds of processor time.

    A small process starts it: the memory of a new process counts that of the one that started it.
    """
    command = [sys.executable, "-m", "corrigenda", *arguments]
    found = subprocess.run(
        [sys.executable, "-S", "-c", _MEASURE, *command], capture_output=True, text=True, check=True
    )
    code, out, err, megabytes, seconds = json.loads(found.stdout)
    return subprocess.CompletedProcess(command, code, out, err), megabytes, seconds


def attack_rows() -> list[str]:
    """One row per attack; an attack that succeeds ends the program."""
    from attacks import ATTACKS

    rows = []
    for attack in ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            done, megabytes, seconds = measured(attack.make(Path(folder)))
        shown = done.stdout + done.stderr
        held = done.returncode == attack.code and attack.says in shown and "Trace" not in shown
        if not held or megabytes > MOST_MEGABYTES:
            sys.exit(f"{attack.name}: {megabytes:.0f} MB, exit code {done.returncode}\n{shown}")
        answer = "refused" if attack.code else "works"
        rows.append(f"| {attack.name} | {answer} | {megabytes:.0f} | {seconds:.1f} |")
        print(rows[-1], flush=True)
    return rows


def fault_rows() -> list[str]:
    """One row per fault; a test that fails ends the program."""
    paths = {
        fault: os.path.relpath(REPOSITORY / "tests" / "cli" / test, REPOSITORY)
        for fault, test in FAULTS.items()
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA"]
    done = subprocess.run(
        [*command, *paths.values()], capture_output=True, text=True, cwd=REPOSITORY, check=False,
        env={**os.environ, "CORRIGENDA_FULL": "1"},
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stdout[-5000:])
    rows = []
    for fault, path in paths.items():
        tried = len(re.findall(rf"^PASSED {re.escape(path)}(\[|$)", done.stdout, re.MULTILINE))
        if not tried:
            sys.exit(f"{fault}: its test was skipped")
        rows.append(f"| {fault} | {tried} | 0 |")
        print(rows[-1], flush=True)
    return rows


def fuzz_rows(seconds: int) -> list[str]:
    """One row per fuzz target; a finding ends the program.

    A target is fuzzed unless build/fuzz/runs has a run of it that was long enough.
    """
    import readers
    import runs

    import run

    rows = []
    for target in [*readers.names(), run.KERNELS]:
        known = runs.kept(target)
        if known is None or known.seconds < seconds or known.findings:
            if run.main(seconds, [target]):
                sys.exit(f"{target}: fuzzing found something")
            known = runs.kept(target)
        if known is None:
            sys.exit(f"{target}: there is no compiler with sanitizers")
        rows.append(f"| `{target}` | {known.seconds:.0f} | {known.executions:,} | 0 |")
        print(rows[-1], flush=True)
    return rows


HEADS = {
    "summary": ["| what | tried | findings |", "|:--|--:|--:|"],
    "attacks": ["| attack | answer | memory, MB | processor, s |", "|:--|:--|--:|--:|"],
    "faults": ["| fault | tried | results lost |", "|:--|--:|--:|"],
    "fuzzing": ["| target | seconds | executions | findings |", "|:--|--:|--:|--:|"],
}


def marks(name: str) -> tuple[str, str]:
    """What stands before and after a table on the page."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def summary_rows() -> list[str]:
    """The sums of the tables on the page. A table has only what was tried without a finding."""
    text = PAGE.read_text(encoding="utf-8")

    def cells(name: str) -> list[list[str]]:
        begin, end = marks(name)
        lines = text.partition(begin)[2].partition(end)[0].split("\n")
        rows = [line for line in lines if line.startswith("|") and line not in HEADS[name]]
        return [row.strip("| ").split(" | ") for row in rows]

    fuzzed = [int(row[2].replace(",", "")) for row in cells("fuzzing")]
    tried = {
        "attacks on the program": len(cells("attacks")),
        "faults: kills, full disks, torn files, caches": sum(
            int(row[1]) for row in cells("faults")
        ),
        f"random inputs of {len(fuzzed)} fuzz targets": sum(fuzzed),
    }
    return [f"| {name} | {number:,} | 0 |" for name, number in tried.items()]


def put(name: str, rows: list[str]) -> None:
    """Put a table between its marks on the page."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = marks(name)
    before, _, rest = text.partition(begin)
    lines = [begin, "", *HEADS[name], *rows, "", end]
    PAGE.write_text(before + "\n".join(lines) + rest.partition(end)[2], encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Make the tables that are named, or all of them."""
    seconds = next((int(each) for each in arguments if each.isdigit()), 60)
    make = {"attacks": attack_rows, "faults": fault_rows, "fuzzing": lambda: fuzz_rows(seconds)}
    for name in [each for each in arguments if each in make] or list(make):
        put(name, make[name]())
    put("summary", summary_rows())


if __name__ == "__main__":
    main(sys.argv[1:])
