import { useComputed } from '@preact/signals';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { ensureFolderName, withFolderName } from '../../protocol/words/folderNames.ts';
import { usePanel } from './panel.ts';

/** Formats paths for the user, with the workspace folder's name if several are open. */
export interface PathLabels {
  /** Formats a path of the host. */
  shown(path: string): string;
  /** Formats a path written by a model or user. */
  written(path: string): string;
  /** Returns the file name, after its folder's name if there are several. */
  short(path: string): string;
  /** Returns the title of a call, whose paths are those of the model. */
  titleOf(call: Pick<PanelCall, 'title' | 'args'>): string;
  /** Returns the path in the title of a call, which may be shortened there. */
  pathIn(call: Pick<PanelCall, 'title' | 'args'>): string | undefined;
}

export function usePathLabels(): PathLabels {
  const { store } = usePanel();
  return useComputed(() => labelsOfPaths(store.environment.value?.folders ?? [])).value;
}

/** Returns true if the arguments include a path, so that the title ends in a file name. */
export function hasPathArgument(call: Pick<PanelCall, 'args'>): boolean {
  return pathsOf(call).length > 0;
}

function pathsOf({ args }: Pick<PanelCall, 'args'>): readonly string[] {
  return [args.file_path, args.dir_path].filter(path => typeof path === 'string' && path !== '') as string[];
}

function labelsOfPaths(folders: readonly string[]): PathLabels {
  const written = (path: string) => ensureFolderName(path, folders);
  return {
    shown: path => withFolderName(path, folders),
    written,
    short: path => (folders.length > 1 ? shortened(written(path)) : baseName(path)),
    titleOf(call) {
      const path = pathsOf(call).find(each => call.title.includes(each));
      return path === undefined ? call.title : call.title.replace(path, () => written(path));
    },
    pathIn(call) {
      const paths = pathsOf(call).flatMap(path => [written(path), path]);
      return paths.find(path => call.title.includes(path)) ?? /\S*[/\\]\S*/.exec(call.title)?.[0];
    },
  };
}

function shortened(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 && parts[0] !== '' ? `${parts[0]}/…/${parts.at(-1)}` : path;
}

/** Returns the file name. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) || path;
}
