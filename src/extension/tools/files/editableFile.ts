import { t } from '../../../protocol/language.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { FileReader, TextFormat } from '../../platform/fileSystem.ts';
import { convertFileErrors } from './convertFileErrors.ts';
import { type AgentIgnorePorts, refuseAgentIgnored } from './ignoreFiles.ts';
import type { SeenFiles } from './seenFiles.ts';

export interface FilePorts extends AgentIgnorePorts {
  readonly files: FileReader;
  readonly paths: WorkspacePaths;
  /** Remembers each file as the model last saw it. */
  readonly seen?: SeenFiles;
}

/** A path that an edit may write, and its present content. */
export interface EditableFile {
  /** Absolute and real. */
  readonly path: string;
  /** Exact text; `null` if there is no file yet. */
  readonly before: string | null;
  readonly format: TextFormat;
}

const maxBytes = 20 * 1024 * 1024;

/** Refuses folders, binary content, files too large to edit as text, and files hidden from agents. */
export async function readEditable(ports: FilePorts, path: string): Promise<EditableFile> {
  return convertFileErrors(path, readUnlessUnfit(ports, path));
}

async function readUnlessUnfit(ports: FilePorts, path: string): Promise<EditableFile> {
  const { files, paths } = ports;
  const real = await paths.resolve(path, 'write');
  const stat = await files.stat(real);
  if (!stat) return { path: real, before: null, format: await files.newFormat(real) };
  if (stat.kind === 'directory')
    throw new ToolFailure(`${path} is a folder, not a file.`, () => t('Is a folder'));
  if (stat.kind === 'other') throw new ToolFailure(`${path} is not a regular file.`, () => t('Not a file'));
  if (stat.size > maxBytes) throw new ToolFailure(`${path} is larger than 20 MB.`, () => t('Too large'));
  // An edit reveals content, if only by what does not match.
  await refuseAgentIgnored(ports, real, 'file');
  const { text, format } = await files.readText(real);
  return { path: real, before: text, format };
}
