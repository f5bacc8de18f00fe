/** Whether the types accept another text in place of one file. */

import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Checks with the nearest tsconfig.json. Without one, everything is accepted. */
export function createTypeCheck(/** @type {string} */ path) {
  const config = ts.findConfigFile(dirname(path), ts.sys.fileExists);
  if (config === undefined) return { refuses: () => false };
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  let text = ts.sys.readFile(path) ?? '';
  let version = 0;
  /** @type {ts.LanguageServiceHost} */
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (name) => (name === path ? String(version) : '0'),
    getScriptSnapshot(name) {
      const content = name === path ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => dirname(config),
    getDefaultLibFileName: (chosen) =>
      join(dirname(ts.getDefaultLibFilePath(chosen)), ts.getDefaultLibFileName(chosen)),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  return {
    /** What this text would do to other files is not looked at. */
    refuses(/** @type {string} */ changed) {
      text = changed;
      version++;
      return service.getSyntacticDiagnostics(path).length + service.getSemanticDiagnostics(path).length > 0;
    },
  };
}
