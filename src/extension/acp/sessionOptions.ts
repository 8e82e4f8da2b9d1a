/*
 * Parses, from unknown data, the options that an agent offers in a session. Older agents send a list of modes and one
 * of models instead of config options. A config option wins over a list of the same kind.
 */

import { methods } from '@agentclientprotocol/sdk';
import { t } from '../../protocol/language.ts';
import { fieldsOf, isRecord, textOrEmpty } from '../base/record.ts';
import type { ExternalAgent } from '../core/external/externalAgent.ts';

type DriverOption = ExternalAgent['options'][number];

const { setMode, setConfigOption } = methods.agent.session;
/** A former method of the protocol, for agents without config options. */
const setModel = 'session/set_model';

interface OptionRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export class SessionOptions {
  private config: readonly DriverOption[] = [];
  /** Ids of config options that the agent wants as a boolean. */
  private switches: ReadonlySet<unknown> = new Set();
  private modes: DriverOption | undefined;
  private models: DriverOption | undefined;

  get all(): readonly DriverOption[] {
    const kinds = new Set(this.config.map(({ kind }) => kind));
    const lists = [this.modes, this.models].filter(list => list !== undefined);
    return [...this.config, ...lists.filter(({ kind }) => !kinds.has(kind))];
  }

  /** Reads them from the response to a session request. */
  take(answer: unknown): void {
    const { configOptions, modes, models } = fieldsOf(answer);
    if (Array.isArray(configOptions)) {
      const given = configOptions.map(fieldsOf);
      this.config = given.flatMap(parseOption);
      this.switches = new Set(given.filter(({ type }) => type === 'boolean').map(({ id }) => id));
    }
    if (isRecord(modes)) {
      const { availableModes, currentModeId } = modes;
      this.modes = parseList('mode', t('Mode'), currentModeId, availableModes, 'id');
    }
    if (isRecord(models)) {
      const { availableModels, currentModelId } = models;
      this.models = parseList('model', t('Model'), currentModelId, availableModels, 'modelId');
    }
  }

  /** Returns false if the update is about something else. */
  update(given: unknown): boolean {
    const update = fieldsOf(given);
    if (update.sessionUpdate === 'config_option_update') this.take(update);
    else if (update.sessionUpdate === 'current_mode_update' && this.modes)
      this.modes = { ...this.modes, value: textOrEmpty(update.currentModeId) };
    else return false;
    return true;
  }

  /** The request that chooses this value. `undefined` if the agent does not offer it. */
  requestFor(id: string, value: string): OptionRequest | undefined {
    const option = this.all.find(each => each.id === id);
    if (!option?.values.some(each => each.value === value)) return undefined;
    if (option === this.modes) return { method: setMode, params: { modeId: value } };
    if (option === this.models) return { method: setModel, params: { modelId: value } };
    const isSwitch = this.switches.has(id);
    const given = isSwitch ? { type: 'boolean', value: value === 'true' } : { value };
    return { method: setConfigOption, params: { configId: id, ...given } };
  }

  /**
   * Call when the agent has accepted the value.
   * @param answer contains all config options, since others may have changed too
   */
  set(id: string, value: string, answer: unknown): void {
    if (this.modes?.id === id) this.modes = { ...this.modes, value };
    if (this.models?.id === id) this.models = { ...this.models, value };
    this.take(answer);
  }
}

function parseList(
  kind: 'mode' | 'model',
  name: string,
  current: unknown,
  given: unknown,
  key: string,
): DriverOption | undefined {
  if (!Array.isArray(given)) return undefined;
  const values = given.map(fieldsOf).flatMap(each => parseValue(each, key));
  // The method serves as id, since no option of a list has that name.
  const id = kind === 'mode' ? setMode : setModel;
  return values.length === 0 ? undefined : { id, name, kind, value: textOrEmpty(current), values };
}

function parseOption(option: Readonly<Record<string, unknown>>): readonly DriverOption[] {
  const { id, name, type, category, currentValue, options } = option;
  if (typeof id === 'string' && type === 'boolean' && typeof currentValue === 'boolean') {
    const label = textOrEmpty(name) || id;
    return [{ id, name: label, kind: 'other', value: String(currentValue), values: statesOf(label, option) }];
  }
  if (typeof id !== 'string' || type !== 'select' || typeof currentValue !== 'string') return [];
  const values = (Array.isArray(options) ? options : []).map(fieldsOf).flatMap(each => {
    const group = textOrEmpty(each.name);
    if (!Array.isArray(each.options)) return parseValue(each, 'value');
    const values = each.options.map(fieldsOf).flatMap(one => parseValue(one, 'value'));
    return values.map(one => ({ ...one, label: group === '' ? one.label : `${group}: ${one.label}` }));
  });
  const kind = (typeof category === 'string' && kinds[category]) || 'other';
  return values.length === 0
    ? []
    : [{ id, name: textOrEmpty(name) || id, kind, value: currentValue, values }];
}

/** Includes the option's name in each value, because a closed picker shows only the value. */
function statesOf(name: string, { description }: Readonly<Record<string, unknown>>): DriverOption['values'] {
  const hint = textOrEmpty(description) || undefined;
  return [
    { value: 'true', label: t('{0}: on', name), hint },
    { value: 'false', label: t('{0}: off', name), hint },
  ];
}

const kinds: Readonly<Record<string, DriverOption['kind']>> = {
  mode: 'mode',
  model: 'model',
  thought_level: 'effort',
};

function parseValue(given: Readonly<Record<string, unknown>>, key: string): DriverOption['values'] {
  const { [key]: value, name, description } = given;
  if (typeof value !== 'string') return [];
  return [{ value, label: textOrEmpty(name) || value, hint: textOrEmpty(description) || undefined }];
}
