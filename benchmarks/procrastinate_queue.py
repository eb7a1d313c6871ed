"""procrastinate 3 (MIT) on the same server: fetch_job and finish_job of its own JobManager.

JobManager is asynchronous only, so its workers run inside their event loop. `stock` is the connector
as it comes; `tuned` spares it the connection check and the BEGIN/COMMIT round trips around each
statement, which its documentation allows by passing a pool.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from procrastinate import App, PsycopgConnector
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from benchmarks.contest import TITLE
from benchmarks.laps import Drained, Lap
from benchmarks.place import Place
from benchmarks.race import Start, race

ONE: dict[str, Any] = {"min_size": 1, "max_size": 1}


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of jobs in a schema of its own."""

    place: Place
    tuned: bool

    @property
    def name(self) -> str:
        return f"procrastinate, {'tuned' if self.tuned else 'stock'}"

    def drain(self, jobs: int, workers: int, *, cycles: bool, warm: int) -> Drained:
        """Let all workers empty a fresh queue; `warm` cycles of each are not on the clock."""
        schema, url = self.place.new_schema()
        try:
            asyncio.run(_defer(url, jobs + warm * workers))
            self.place.administer(f"ANALYZE {schema}.procrastinate_jobs")

            def work(_: int, start: Start) -> Lap:
                return asyncio.run(self._worker(url, start, cycles=cycles, warm=warm))

            return Drained(tuple(race(work, workers)))
        finally:
            self.place.drop_schema(schema)

    async def _worker(self, url: str, start: Start, *, cycles: bool, warm: int) -> Lap:
        connector = PsycopgConnector(conninfo=url, **ONE)
        pool = None
        if self.tuned:
            settings = {"autocommit": True, "prepare_threshold": 2}
            pools: Any = import_module("psycopg_pool")  # comes with procrastinate
            pool = pools.AsyncConnectionPool(url, **ONE, open=False, kwargs=settings)
            await pool.open(wait=True)
        await connector.open_async(pool)
        jobs = JobManager(connector)
        number = await jobs.register_worker()
        for _ in range(warm):
            await _once(jobs, number, cycles=True)
        done = await _lap(lambda: _once(jobs, number, cycles=cycles), start)
        await (pool.close() if pool else connector.close_async())
        return done


async def _once(jobs: JobManager, worker: int, *, cycles: bool) -> Job | None:
    job: Job | None = await jobs.fetch_job(queues=None, worker_id=worker)
    if job and cycles:
        await jobs.finish_job(job, Status.SUCCEEDED, delete_job=False)
    return job


async def _lap(act: Callable[[], Awaitable[Job | None]], start: Start) -> Lap:
    done = Lap()
    began = start()
    while job := await act():
        done.times += 1
        done.seconds = time.monotonic() - began
        done.won.append(str(job.id))
    return done


async def _defer(url: str, jobs: int) -> None:
    app = App(connector=PsycopgConnector(conninfo=url, **ONE))
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        new = Job(
            id=None,
            queue="default",
            lock=None,
            queueing_lock=None,
            task_name="work",
            task_kwargs={"title": TITLE},
        )
        await app.job_manager.batch_defer_jobs_async([new] * jobs)
