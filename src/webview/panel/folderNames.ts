import { useComputed } from '@preact/signals';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { withFolderName, writtenWithFolderName } from '../../protocol/words/folderNames.ts';
import { usePanel } from './panel.ts';

/** Paths as the user reads them: with their folder's name where several folders are open. */
export interface FolderNames {
  /** For a path that the host told. */
  shown(path: string): string;
  /** For a path as a model or a user wrote it. */
  written(path: string): string;
  /** The file's name, behind its folder's where there are several. */
  short(path: string): string;
  /** The line of a call, in which the model's own words for a path stand. */
  titleOf(call: Pick<PanelCall, 'title' | 'args'>): string;
}

export function useFolderNames(): FolderNames {
  const { store } = usePanel();
  return useComputed(() => folderNames(store.environment.value?.folders ?? [])).value;
}

/** A path is among what the call was made with, so the line ends in a name. */
export function namesPath({ args }: Pick<PanelCall, 'args'>): boolean {
  return pathArguments.some(name => typeof args[name] === 'string');
}

const pathArguments = ['file_path', 'dir_path'] as const;

function folderNames(folders: readonly string[]): FolderNames {
  const written = (path: string) => writtenWithFolderName(path, folders);
  return {
    shown: path => withFolderName(path, folders),
    written,
    short: path => (folders.length > 1 ? shortened(written(path)) : lastPart(path)),
    titleOf({ title, args }) {
      for (const name of pathArguments) {
        const path = args[name];
        if (typeof path === 'string' && path !== '' && title.includes(path))
          return title.replace(path, () => written(path));
      }
      return title;
    },
  };
}

function shortened(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 && parts[0] !== '' ? `${parts[0]}/…/${parts.at(-1)}` : path;
}

/** The file's own name. */
export function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) || path;
}
