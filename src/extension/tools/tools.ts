/* All built-in tools. To add one: create its file, and add a line here. */

import type { AnyTool } from '../core/tool.ts';
import { activateSkillTool, type SkillPorts } from './activateSkill.ts';
import { type AskUserPorts, askUserTool } from './askUser.ts';
import { browserDoTool } from './browser/browserDo.ts';
import { browserLookTool } from './browser/browserLook.ts';
import { browserOpenTool } from './browser/browserOpen.ts';
import { browserRunTool } from './browser/browserRun.ts';
import type { BrowserPorts } from './browser/pageTools.ts';
import { createNewTopicTool, type TopicPorts } from './createNewTopic.ts';
import { type DebugPorts, debugTool } from './debug/debug.ts';
import { editNotebookTool, type NotebookPorts } from './editNotebook.ts';
import { enterPlanModeTool } from './enterPlanMode.ts';
import { exitPlanModeTool, type PlanPorts } from './exitPlanMode.ts';
import { type GlobPorts, globTool } from './glob.ts';
import { googleWebSearchTool, type WebSearchPorts } from './googleWebSearch.ts';
import { type GrepPorts, grepSearchTool } from './grepSearch.ts';
import { listDirectoryTool } from './listDirectory.ts';
import { type ReadFilePorts, readFileTool } from './readFile.ts';
import { type ReadManyFilesPorts, readManyFilesTool } from './readManyFiles.ts';
import { type RecallPorts, recallChapterTool } from './recallChapter.ts';
import { type ReplacePorts, replaceTool } from './replace.ts';
import { type MemoryPorts, saveMemoryTool } from './saveMemory.ts';
import type { CommandPorts } from './shell/commandPorts.ts';
import { InteractiveCommands } from './shell/interactiveCommands.ts';
import { runShellCommandTool } from './shell/runShellCommand.ts';
import { sendInputTool } from './shell/sendInput.ts';
import { type ActionPorts, applyCodeActionTool } from './symbols/applyCodeAction.ts';
import { findSymbolTool } from './symbols/findSymbol.ts';
import { getProblemsTool } from './symbols/getProblems.ts';
import { renameSymbolTool } from './symbols/renameSymbol.ts';
import { runTestsTool, type TestSources } from './tests/runTests.ts';
import { type WebFetchPorts, webFetchTool } from './webFetch.ts';
import { type WriteFilePorts, writeFileTool } from './writeFile.ts';
import { type TodoPorts, writeTodosTool } from './writeTodos.ts';

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
  const open = commands.open ?? new InteractiveCommands();
  return [
    createNewTopicTool(session),
    writeTodosTool(session),
    askUserTool(session),
    enterPlanModeTool(session),
    exitPlanModeTool(session),
    listDirectoryTool(files),
    globTool(files),
    grepSearchTool(files),
    findSymbolTool(files),
    getProblemsTool(files),
    renameSymbolTool(files),
    applyCodeActionTool(files),
    readFileTool(files),
    readManyFilesTool(files),
    replaceTool(files),
    editNotebookTool(files),
    writeFileTool(files),
    runShellCommandTool(commands, open),
    sendInputTool(commands, open),
    runTestsTool(commands, tests),
    webFetchTool(web),
    googleWebSearchTool(web),
    saveMemoryTool(files),
    recallChapterTool(session),
    activateSkillTool(files),
    ...(debugging ? [debugTool(debugging)] : []),
    ...(pages
      ? [browserOpenTool(pages), browserLookTool(pages), browserDoTool(pages), browserRunTool(pages)]
      : []),
  ];
}
