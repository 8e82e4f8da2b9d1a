/* Every tool that Folio brings along. To add one: a file of its own, and a line here. */

import type { AnyTool } from '../core/tool.ts';
import { activateSkill, type SkillPorts } from './activateSkill.ts';
import { type AskUserPorts, askUser } from './askUser.ts';
import { createNewTopic, type TopicPorts } from './createNewTopic.ts';
import { editNotebook, type NotebookPorts } from './editNotebook.ts';
import { enterPlanMode } from './enterPlanMode.ts';
import { exitPlanMode, type PlanPorts } from './exitPlanMode.ts';
import { type GlobPorts, glob } from './glob.ts';
import { googleWebSearch, type WebSearchPorts } from './googleWebSearch.ts';
import { type GrepPorts, grepSearch } from './grepSearch.ts';
import { listDirectory } from './listDirectory.ts';
import { type ReadFilePorts, readFile } from './readFile.ts';
import { type ReadManyFilesPorts, readManyFiles } from './readManyFiles.ts';
import { type RecallPorts, recallChapter } from './recallChapter.ts';
import { type ReplacePorts, replace } from './replace.ts';
import { type MemoryPorts, saveMemory } from './saveMemory.ts';
import { type CommandPorts, runShellCommand } from './shell/runShellCommand.ts';
import { type WebFetchPorts, webFetch } from './webFetch.ts';
import { type WriteFilePorts, writeFile } from './writeFile.ts';
import { type TodoPorts, writeTodos } from './writeTodos.ts';

export type ToolPorts = ReplacePorts &
  ReadFilePorts &
  WriteFilePorts &
  NotebookPorts &
  ReadManyFilesPorts &
  GlobPorts &
  GrepPorts &
  CommandPorts &
  WebFetchPorts &
  WebSearchPorts &
  MemoryPorts &
  TodoPorts &
  AskUserPorts &
  PlanPorts &
  RecallPorts &
  SkillPorts &
  TopicPorts;

export function builtInTools(ports: ToolPorts): readonly AnyTool[] {
  return [
    createNewTopic(ports),
    writeTodos(ports),
    askUser(ports),
    enterPlanMode(ports),
    exitPlanMode(ports),
    listDirectory(ports),
    glob(ports),
    grepSearch(ports),
    readFile(ports),
    readManyFiles(ports),
    replace(ports),
    editNotebook(ports),
    writeFile(ports),
    runShellCommand(ports),
    webFetch(ports),
    googleWebSearch(ports),
    saveMemory(ports),
    recallChapter(ports),
    activateSkill(ports),
  ];
}
