import type { AnyTool } from '../core/tool.ts';
import { type GlobPorts, glob } from './glob.ts';
import { type GrepPorts, grepSearch } from './grepSearch.ts';
import { listDirectory } from './listDirectory.ts';
import { readFile } from './readFile.ts';
import { type ReadManyFilesPorts, readManyFiles } from './readManyFiles.ts';

/** Tools that only read workspace files. Other extensions may use them, too. */
export function readingTools(ports: GlobPorts & GrepPorts & ReadManyFilesPorts): readonly AnyTool[] {
  return [listDirectory(ports), glob(ports), grepSearch(ports), readFile(ports), readManyFiles(ports)];
}
