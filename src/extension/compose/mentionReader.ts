/* Reads the things that a prompt names: files, pages and resources, and the sources of its command's template. */

import { plainTerminalText } from '../base/terminalText.ts';
import type { TemplateSources } from '../core/commands/template/templateSources.ts';
import { readMentions } from '../core/mentions/readMentions.ts';
import type { MentionSources } from '../core/mentions/sources.ts';
import { WorkspacePaths } from '../core/paths.ts';
import type { MentionReader } from '../core/session/workplace.ts';
import { GitDiff } from '../node/git/gitDiff.ts';
import { lazyHttp } from '../node/http/lazyHttp.ts';
import { Programs } from '../node/processes/programs.ts';
import type { SeenFiles } from '../tools/files/seenFiles.ts';
import { namedFiles } from '../tools/namedFiles.ts';
import { namedPage } from '../tools/namedPage.ts';
import type { Host, HostWorkspace } from './host.ts';

export function mentionReader(host: Host, seen: SeenFiles): MentionReader {
  const { promptContext } = host.added;
  const sources = mentionSources(host, seen);
  return {
    templates: templateSources(host, sources),
    read: async (text, attachments, signal) => {
      const [added = [], read] = await Promise.all([
        promptContext?.(text, signal),
        readMentions(sources, text, attachments, signal),
      ]);
      return { ...read, parts: [...added, ...read.parts] };
    },
  };
}

/** The same files and the same web as the tools have. */
function mentionSources({ workspace, workbench, added, log }: Host, seen: SeenFiles): MentionSources {
  const { files, search, folders, trusted } = workspace;
  const http = lazyHttp();
  return {
    workbench,
    diff: new GitDiff(new Programs(() => folders)),
    folders,
    trusted,
    log,
    files: namedFiles({ files, search, seen, paths: new WorkspacePaths(files, folders) }),
    servers: added.servers,
    readPage: (url, signal) => namedPage(http, url, signal),
  };
}

/** The files of mentions and the commands of the shell, for prompts that come from files. */
function templateSources(host: Host, mentions: MentionSources): TemplateSources {
  const { processes, clock, machine, settings, workspace } = host;
  return {
    processes,
    clock,
    platform: machine.platform,
    plainText: plainTerminalText,
    mentions,
    folder: () => firstFolder(workspace),
    limits: () => ({
      outputLength: settings.get('toolOutputLimit'),
      inactivityTimeout: settings.get('shellInactivityTimeout'),
    }),
  };
}

/** Absolute and real. */
export async function firstFolder({ folders, files }: HostWorkspace): Promise<string | undefined> {
  const [folder] = folders;
  return folder === undefined ? undefined : files.realPath(folder);
}
