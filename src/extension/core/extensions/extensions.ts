/*
 * Enabled extensions with the user's settings for them. Plain values are stored in the extension's `.env`, where
 * scripts and other programs find them; secrets are stored like API keys, and only read from `.env` if written there.
 * Only the extension's servers and hooks get them.
 */

import { formatList, t } from '../../../protocol/language.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { fromDefinedEntries } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { type CustomOrigin, extensionOf } from '../../platform/customizations/customFiles.ts';
import type { ExtensionValues } from '../../platform/customizations/extensions.ts';
import type { MemoryFile } from '../context/memoryPlace.ts';
import type { Customization } from '../customizations/files/customization.ts';
import { type ExtensionSetting, type Manifest, parseManifest } from './manifest.ts';

export interface Extension {
  readonly manifest: Manifest;
  /** Values of its settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret values in `env`, which are removed from output and answers of its programs. */
  readonly secrets: readonly string[];
  /** One sentence: a missing setting, or why it could not be read. */
  readonly problem?: string;
}

/** Values that an extension's server gets on start. */
export interface ExtensionServerValues {
  /** Environment variables of its extension. */
  readonly given?: Readonly<Record<string, string>>;
  /** Values that must not be shown. */
  readonly secrets?: readonly string[];
  /** One sentence: why it cannot run yet. */
  readonly problem?: string;
}

export class Extensions {
  private readonly items: () => readonly Customization[];
  private readonly values: ExtensionValues | undefined;
  private readonly changed = new Emitter<void>();
  private known: readonly Extension[] = [];
  private problemList: readonly string[] = [];
  private reported = '';
  /** Readings run one after another; the latest wins. */
  private reading: Promise<void> = Promise.resolve();

  /** Fires when extensions or their settings have changed. */
  readonly onDidChange = this.changed.event;

  /** @param items enabled ones of kind `extension`. @param values absent: none */
  constructor(items: () => readonly Customization[], values?: ExtensionValues) {
    this.items = items;
    this.values = values;
  }

  /** State of the last refresh. */
  get list(): readonly Extension[] {
    return this.known;
  }

  get problems(): readonly string[] {
    return this.problemList;
  }

  /** Their instruction files. */
  get memory(): readonly MemoryFile[] {
    return this.known.flatMap(({ manifest: { folder, contextFiles } }) =>
      contextFiles.map(file => ({ ...file, within: folder })),
    );
  }

  /** Never rejects. */
  refresh(): Promise<void> {
    this.reading = this.reading.then(() => this.read());
    return this.reading;
  }

  givenTo(origin: CustomOrigin): ExtensionServerValues {
    const place = extensionOf(origin);
    if (!place) return {};
    const found = this.known.find(({ manifest }) => manifest.name === place.name);
    if (!found) return {};
    const { env, secrets, problem } = found;
    return {
      given: env,
      secrets: secrets.length > 0 ? secrets : undefined,
      problem,
    };
  }

  /**
   * Stores a value of the user. An empty one for an existing secret leaves it. Rejects with a sentence.
   * @param value may be empty, and is then stored as such
   */
  async set({ name, home }: Manifest, { envVar, sensitive }: ExtensionSetting, value: string): Promise<void> {
    if (!this.values) throw new Error('Nothing can be kept here.');
    const { secrets, variables } = this.values;
    const kept = secretName(name, envVar);
    if (!sensitive) await variables.write(home, envVar, value);
    else if (value !== '') await secrets.keep(kept, value);
    else if ((await secrets.find(kept)) === undefined) await variables.write(home, envVar, '');
  }

  /** Returns the variables whose secrets are stored. */
  async findKept({ name, settings }: Manifest): Promise<readonly string[]> {
    const kept = await Promise.all(
      settings.map(({ envVar }) => this.values?.secrets.find(secretName(name, envVar))),
    );
    return settings.filter((_setting, index) => kept[index] !== undefined).map(({ envVar }) => envVar);
  }

  /** Deletes its stored secrets. */
  async forget({ name, settings }: Manifest): Promise<void> {
    for (const { envVar } of settings) await this.values?.secrets.drop(secretName(name, envVar));
  }

  private async read(): Promise<void> {
    const parsed = this.items().map(parseManifest);
    const manifests = parsed.flatMap(({ manifest = [] }) => manifest);
    this.known = await Promise.all(manifests.map(manifest => this.readOne(manifest)));
    this.problemList = [
      ...parsed.flatMap(({ problems }) => problems),
      ...this.known.flatMap(({ problem = [] }) => problem),
    ];
    const reported = JSON.stringify([this.known, this.problemList]);
    if (reported === this.reported) return;
    this.reported = reported;
    this.changed.fire();
  }

  private async readOne(manifest: Manifest): Promise<Extension> {
    const { name, home, settings } = manifest;
    if (settings.length === 0 || !this.values) return { manifest, env: {}, secrets: [] };
    const { secrets, variables } = this.values;
    try {
      const ofFile = await variables.read(home);
      const found = await Promise.all(
        settings.map(async ({ envVar }): Promise<readonly [string, string | undefined]> => {
          const value = (await secrets.find(secretName(name, envVar))) ?? ownValue(ofFile, envVar);
          return [envVar, value];
        }),
      );
      const env = fromDefinedEntries(found);
      const missing = settings.filter(({ envVar }) => ownValue(env, envVar) === undefined);
      const known = {
        manifest,
        env,
        secrets: settings.flatMap(({ sensitive, envVar }) => (sensitive && ownValue(env, envVar)) || []),
      };
      return missing.length === 0 ? known : { ...known, problem: describeMissing(name, missing) };
    } catch (error) {
      return { manifest, env: {}, secrets: [], problem: messageOf(error) };
    }
  }
}

function ownValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Keyed by name: only the user can install another extension under the same name. */
function secretName(extension: string, envVar: string): string {
  return `extension ${extension} ${envVar}`;
}

function describeMissing(extension: string, missing: readonly ExtensionSetting[]): string {
  const names = missing.map(({ name, envVar }) => `${oneLine(name, 60)} (${envVar})`);
  return t(
    'The extension {0} needs {1}. Use “Folio: Set Up Extension”, or name it in the .env of the extension.',
    oneLine(extension, 60),
    formatList(names),
  );
}
