import type { AnyTool } from '../core/tool.ts';
import { type GlobPorts, globTool } from './glob.ts';
import { type GrepPorts, grepSearchTool } from './grepSearch.ts';
import { listDirectoryTool } from './listDirectory.ts';
import { readFileTool } from './readFile.ts';
import { type ReadManyFilesPorts, readManyFilesTool } from './readManyFiles.ts';

/** Tools that only read workspace files. Other extensions may use them, too. */
export function readOnlyTools(ports: GlobPorts & GrepPorts & ReadManyFilesPorts): readonly AnyTool[] {
  return [
    listDirectoryTool(ports),
    globTool(ports),
    grepSearchTool(ports),
    readFileTool(ports),
    readManyFilesTool(ports),
  ];
}
