/**
 * Operations of the GraphQL API as public tools send them: the fields that they select, and variables of the kind that
 * they give.
 */
import { commandLineTool } from './commandLineTool.ts';
import { otherTools } from './otherTools.ts';
import { sdks } from './sdks.ts';

/** The tool, the document, and its variables. */
export type ToolOperation = readonly [tool: string, document: string, variables?: object];

export const toolOperations: readonly ToolOperation[] = [...commandLineTool, ...sdks, ...otherTools];
