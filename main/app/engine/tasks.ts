/** Tasks for the running engine, each with its answer. */
import { AppError } from '#contract/core/errors.ts';
import type { EngineOutbound, EngineTask, OwnContainer } from '#contract/local/engine.ts';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';

export type TaskAnswer = Extract<EngineOutbound, { type: 'done' }>;

interface EngineRun {
  child: ChildProgram;
  ready: boolean;
  exited: Promise<ChildExit>;
}

/** The tasks that the engine works on. */
export function createTasks() {
  const waiting = new Map<number, (answer: TaskAnswer | null) => void>();
  let lastId = 0;
  return {
    end({ id, ...answer }: TaskAnswer): void {
      waiting.get(id)?.({ id, ...answer });
      waiting.delete(id);
    },
    async begin(run: EngineRun | null, task: EngineTask): Promise<OwnContainer[]> {
      if (run === null || !run.ready) throw new AppError('UNAVAILABLE', 'The engine is not running.');
      const id = (lastId += 1);
      const answered = new Promise<TaskAnswer | null>((resolve) => {
        waiting.set(id, resolve);
        void run.exited.then(() => resolve(null));
      });
      run.child.send({ type: 'task', id, task });
      const answer = await answered;
      if (answer === null) throw new AppError('UNAVAILABLE', 'The engine ended before it was done.');
      if (answer.problem !== null) throw new AppError('UNAVAILABLE', answer.problem);
      return answer.containers;
    },
  };
}
