import type { ContainerLocation, ContainerPlan, Containers } from '../../platform/containers.ts';
import type { Processes } from '../../platform/processes.ts';
import { ContainerProcesses } from './containerProcesses.ts';
import { DevContainer, type DevContainerContext } from './devContainer.ts';

/** Containers through the Dev Containers CLI (`@devcontainers/cli`), on Docker or Podman. */
export class DevContainers implements Containers {
  private readonly machine: DevContainerContext;
  /** By folder, because sessions of one workspace share its container. */
  private readonly open = new Map<string, ContainerProcesses>();

  constructor(machine: DevContainerContext) {
    this.machine = machine;
  }

  async plan(folder: string, signal: AbortSignal): Promise<ContainerPlan> {
    const { findContainerTools } = await import('./containerTools.ts');
    const { readContainerPlan } = await import('./readPlan.ts');
    const { programs, env } = this.machine;
    const tools = await findContainerTools(programs, env, signal);
    return await readContainerPlan(folder, tools, programs, env, signal);
  }

  commands(place: ContainerLocation, own: Pick<Processes, 'start'>): Processes {
    const key = `${place.folder}\0${place.inside}`;
    const known = this.open.get(key);
    if (known) return known;
    const made = new ContainerProcesses(new DevContainer(place, this.machine, own));
    this.open.set(key, made);
    return made;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.open.values()].map(each => each.dispose()));
  }
}
