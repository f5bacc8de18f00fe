/** Entry of the process that speaks with the system's keychain, for its host over the pipe. */
import { runKeychainProcess } from './app/secrets/keychainProcess.ts';

runKeychainProcess();
