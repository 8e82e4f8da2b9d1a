import { join } from 'node:path';
import type { Worktree } from '../../../protocol/worktree.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Settings } from '../../platform/settings.ts';

interface EquipmentPorts {
  readonly settings: Pick<Settings, 'get'>;
  readonly files: Pick<FileSystem, 'realPath'>;
}

/** What a session in a worktree has beside its files. */
export class Equipment {
  private readonly worktree: Worktree;
  private readonly ports: EquipmentPorts;
  private shared: readonly string[] = [];

  constructor(worktree: Worktree, ports: EquipmentPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** Folders outside of the worktree that its links lead into, absolute; as of the newest `settle`. */
  get readable(): readonly string[] {
    return this.shared;
  }

  async settle(): Promise<void> {
    const { settings, files } = this.ports;
    this.shared = await findSharedFolders(this.worktree, settings.get('worktree.link'), files);
  }
}

/**
 * The folders of home that links of a worktree lead into, absolute. One that is a link itself is not shared.
 * @param links relative to the root
 */
async function findSharedFolders(
  { home }: Worktree,
  links: readonly string[],
  files: Pick<FileSystem, 'realPath'>,
): Promise<readonly string[]> {
  const folders = links.map(each => join(home, each.replace(/\/$/, '')));
  const real = await Promise.all(folders.map(each => files.realPath(each)));
  return folders.filter((each, at) => real[at] === each);
}
