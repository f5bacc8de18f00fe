/** Passes changes of the machine's power on to the engine that runs, also to one that is started later. */
import { engineOutboundSchema, type EnginePower } from '#contract/local/engine.ts';
import { expectCode } from '#contract/core/systemCode.ts';
import type { ChildProgram } from '../platform/childProgram.ts';

export interface PowerRelay {
  /** To be called with each engine, before its start. Returns the same engine. */
  attach(engine: ChildProgram): ChildProgram;
  report(power: Omit<EnginePower, 'type'>): void;
}

export function createPowerRelay(): PowerRelay {
  let running: ChildProgram | null = null;
  let onBattery: boolean | null = null;

  function send(event: EnginePower['event']): void {
    try {
      running?.send({ type: 'power', event, onBattery } satisfies EnginePower);
    } catch (error) {
      // Its channel is closed: the engine is ending, and the next one gets the power source at its start.
      expectCode(error, 'ERR_IPC_CHANNEL_CLOSED');
    }
  }

  return {
    attach(engine) {
      engine.onMessage((message) => {
        const parsed = engineOutboundSchema.safeParse(message);
        if (!parsed.success || parsed.data.type !== 'ready') return;
        running = engine;
        if (onBattery !== null) send('source');
      });
      engine.onExit(() => {
        if (running === engine) running = null;
      });
      return engine;
    },
    report(power) {
      ({ onBattery } = power);
      send(power.event);
    },
  };
}
