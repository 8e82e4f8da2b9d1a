/* The options of a session for the client: its mode, model and place. */

import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { autoModel } from '../../../protocol/routing.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { describeModel } from '../../../protocol/words/modelWords.ts';
import type { ModelInfo } from '../../core/model.ts';
import { offeredModes } from '../../core/policy/allowedModes.ts';

interface OfferedModels {
  readonly listed: readonly ModelInfo[];
  /** Folio can choose a model per turn. */
  readonly hasAuto: boolean;
}

interface Offered extends OfferedModels {
  /** `undefined` means all. */
  readonly allowedModes: Parameters<typeof offeredModes>[0];
  readonly hasWorktrees: boolean;
}

type ChosenOptions = Pick<SessionState, 'mode' | 'model' | 'worktree' | 'container'>;

export function sessionModes({ mode }: ChosenOptions, allowed: Offered['allowedModes']): SessionModeState {
  return {
    currentModeId: mode,
    availableModes: offeredModes(allowed).map(({ value, label, hint }) => ({
      id: value,
      name: label,
      description: hint,
    })),
  };
}

/** Includes the modes, because the protocol intends these options to replace them. */
export function configOptions(chosen: ChosenOptions, offered: Offered): SessionConfigOption[] {
  const words = offeredModes(offered.allowedModes);
  const modes = words.map(({ value, label, hint }) => ({ value, name: label, description: hint }));
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: chosen.mode,
      options: modes,
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: chosen.model,
      options: modelOptions(chosen.model, offered),
    },
    ...(offered.hasWorktrees ? [placeOption(chosen)] : []),
  ];
}

export function sessionPlace({ worktree, container }: Pick<ChosenOptions, 'worktree' | 'container'>) {
  if (container) return 'container';
  return worktree ? 'worktree' : 'workspace';
}

function placeOption(chosen: ChosenOptions): SessionConfigOption {
  return {
    type: 'select',
    id: 'place',
    name: 'Place',
    category: '_place',
    currentValue: sessionPlace(chosen),
    options: [
      { value: 'workspace', name: 'Workspace', description: 'Works in your own files' },
      {
        value: 'worktree',
        name: 'Worktree',
        description: 'Works in a Git worktree; /worktree apply brings the changes home',
      },
      {
        value: 'container',
        name: 'Container',
        description: 'Works in your own files; commands run in the container of devcontainer.json',
      },
    ],
  };
}

export function modelOptions(current: string, { listed, hasAuto }: OfferedModels) {
  const options = listed.map(model => ({
    value: model.id,
    name: model.label,
    description: describeModel(model),
  }));
  if (hasAuto) options.unshift({ value: autoModel, name: 'Auto', description: 'Chooses for each turn' });
  // A model from the settings may be missing in the list.
  const isListed = options.some(({ value }) => value === current);
  return isListed ? options : [{ value: current, name: current, description: '' }, ...options];
}
