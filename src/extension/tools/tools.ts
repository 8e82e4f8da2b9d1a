/* All built-in tools. To add one: create its file, and add a line here. */

import type { AnyTool } from '../core/tool.ts';
import { activateSkill, type SkillPorts } from './activateSkill.ts';
import { type AskUserPorts, askUser } from './askUser.ts';
import { browserDo } from './browser/browserDo.ts';
import { browserLook } from './browser/browserLook.ts';
import { browserOpen } from './browser/browserOpen.ts';
import { browserRun } from './browser/browserRun.ts';
import type { BrowserPorts } from './browser/pageTools.ts';
import { createNewTopic, type TopicPorts } from './createNewTopic.ts';
import { type DebugPorts, debug } from './debug/debug.ts';
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
import type { CommandPorts } from './shell/commandPorts.ts';
import { OpenCommands } from './shell/openCommands.ts';
import { runShellCommand } from './shell/runShellCommand.ts';
import { sendInput } from './shell/sendInput.ts';
import { type ActionPorts, applyCodeAction } from './symbols/applyCodeAction.ts';
import { findSymbol } from './symbols/findSymbol.ts';
import { getProblems } from './symbols/getProblems.ts';
import { renameSymbol } from './symbols/renameSymbol.ts';
import { runTests, type TestSources } from './tests/runTests.ts';
import { type WebFetchPorts, webFetch } from './webFetch.ts';
import { type WriteFilePorts, writeFile } from './writeFile.ts';
import { type TodoPorts, writeTodos } from './writeTodos.ts';

/** Workspace files, and texts stored next to them. */
export type FileToolPorts = ReplacePorts &
  ReadFilePorts &
  WriteFilePorts &
  NotebookPorts &
  ReadManyFilesPorts &
  GlobPorts &
  GrepPorts &
  ActionPorts &
  MemoryPorts &
  SkillPorts;

/** The session itself, and its user. */
export type SessionToolPorts = TopicPorts & TodoPorts & AskUserPorts & PlanPorts & RecallPorts;

export type WebToolPorts = WebFetchPorts & WebSearchPorts;

export function builtInTools(
  files: FileToolPorts,
  session: SessionToolPorts,
  commands: CommandPorts,
  web: WebToolPorts,
  tests: TestSources,
  /** Absent without a browser. */
  pages?: BrowserPorts,
  /** Absent if nothing can be debugged. */
  debugging?: DebugPorts,
): readonly AnyTool[] {
  const open = commands.open ?? new OpenCommands();
  return [
    createNewTopic(session),
    writeTodos(session),
    askUser(session),
    enterPlanMode(session),
    exitPlanMode(session),
    listDirectory(files),
    glob(files),
    grepSearch(files),
    findSymbol(files),
    getProblems(files),
    renameSymbol(files),
    applyCodeAction(files),
    readFile(files),
    readManyFiles(files),
    replace(files),
    editNotebook(files),
    writeFile(files),
    runShellCommand(commands, open),
    sendInput(commands, open),
    runTests(commands, tests),
    webFetch(web),
    googleWebSearch(web),
    saveMemory(files),
    recallChapter(session),
    activateSkill(files),
    ...(debugging ? [debug(debugging)] : []),
    ...(pages ? [browserOpen(pages), browserLook(pages), browserDo(pages), browserRun(pages)] : []),
  ];
}
