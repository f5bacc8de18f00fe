/** As many jobs at once as the handler says: each lane takes a job, runs it, hands in its result, and takes the next. */
import { createJobRun } from './jobRun.mjs';

/** Stops for jobs that are not known here, remembered at most: a job and its stop travel apart, and the stop may come first. */
const STOPS_KEPT = 64;

/**
 * `slots(now)`: how many jobs there shall be at once, asked at the start and after each job with the number there is.
 * `onJobs(ids)`: which jobs run now. `onStopped()`: one was stopped and is let go of.
 */
export function createLanes({ handler, aggregate, slots, service, stopping, onJobs, onStopped }) {
  const lanes = new Set();
  const stoppedEarly = new Set();
  /** Whether this worker has ever had more than one job: what one lane says then is not true of the others. */
  let many = false;

  const running = () => [...lanes].map((lane) => lane.jobId).filter((id) => id !== null);

  /** Starts the lanes that are missing; answers whether there is one too many. */
  function fit(end) {
    const wanted = Math.max(1, Math.trunc(Number(slots(lanes.size || 1))) || 1);
    if (wanted > 1) many = true;
    while (lanes.size < wanted && !stopping.aborted) {
      const lane = createLane();
      lanes.add(lane);
      runLane(lane, end).then(
        () => {
          lanes.delete(lane);
          if (lanes.size === 0) end.resolve();
        },
        (error) => end.reject(error),
      );
    }
    return lanes.size > wanted;
  }

  function createLane() {
    return createJobRun({ service, handler, aggregate, alone: () => !many });
  }

  async function runLane(lane, end) {
    let job = null;
    for (;;) {
      job ??= await service.take(stopping, { alone: !many });
      if (job === null) return;
      if (stoppedEarly.delete(job.id)) {
        job = null;
        if (many) onStopped();
        continue;
      }
      let surplus = false;
      const ending = lane.run(job, () => {
        surplus = fit(end);
        // Now, so that another lane that ends with this one does not go for the same reason.
        if (surplus) lanes.delete(lane);
        return !surplus && !stopping.aborted;
      });
      onJobs(running());
      const { next, stopped } = await ending;
      job = next;
      onJobs(running());
      if (stopped && many) onStopped();
      if (surplus) return;
    }
  }

  return {
    /** Settles once the worker was told to stop and every job has ended. Rejects when the service does not want this worker. */
    run() {
      const end = Promise.withResolvers();
      fit(end);
      return end.promise;
    },
    /** Stops the jobs of these ids, now or when they come. */
    stop(ids) {
      for (const id of ids) {
        const lane = [...lanes].find(({ jobId }) => jobId === id);
        if (lane) lane.stop();
        else stoppedEarly.add(id);
      }
      for (const id of stoppedEarly) if (stoppedEarly.size > STOPS_KEPT) stoppedEarly.delete(id);
    },
    /** Fails the running jobs for something that was thrown outside of the handler's own calls. */
    fail: (error) => Promise.all([...lanes].map((lane) => lane.fail(error))),
  };
}
