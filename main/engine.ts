/**
 * Entry of the engine process: takes its settings from its host over the pipe, runs, and stops when told or left alone.
 */
import { runEngineProcess } from './engine/entry.ts';

runEngineProcess();
