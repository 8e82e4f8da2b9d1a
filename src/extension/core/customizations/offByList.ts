import { isRecord } from '../../base/record.ts';
import type { CustomFile } from '../../platform/customFiles.ts';
import { findValues } from '../../platform/settingKeys.ts';
import type { Customization } from './customization.ts';

/**
 * Settings files of the other program switch skills and servers off by lists of names. All of them hold together, but
 * a workspace has a say over what it brings itself alone.
 */
export function offByList(files: readonly CustomFile[]): (item: Customization) => boolean {
  const read = files.filter(({ kind, problem }) => kind === 'settings' && problem === undefined);
  const lists = read.map(file => ({ ...listsOf(file), isOfWorkspace: file.origin.kind === 'workspace' }));
  return ({ kind, name, origin }) => {
    const about = lists.filter(({ isOfWorkspace }) => !isOfWorkspace || origin.kind === 'workspace');
    if (kind === 'skill') return about.some(({ skills }) => skills?.includes(name));
    if (kind !== 'server') return false;
    return about.some(
      ({ excluded, allowed }) => excluded?.includes(name) || allowed?.includes(name) === false,
    );
  };
}

interface Lists {
  readonly skills?: readonly unknown[];
  readonly excluded?: readonly unknown[];
  /** Any other is off. */
  readonly allowed?: readonly unknown[];
}

function listsOf({ text }: CustomFile): Lists {
  const content: unknown = JSON.parse(text);
  if (!isRecord(content)) return {};
  const lists = (key: string) => findValues(content, key).filter(value => Array.isArray(value));
  return {
    skills: lists('skills.disabled').flat(),
    excluded: lists('mcp.excluded').flat(),
    allowed: lists('mcp.allowed')[0],
  };
}
