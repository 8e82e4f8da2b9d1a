/* A home with real extensions, loaded by Folio. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { LoadedCustomizations } from '../../src/extension/core/customizations/loadedCustomizations.ts';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { NodeExtensionVariables } from '../../src/extension/node/customizations/extensionVariables.ts';
import { MemorySecrets } from '../../src/extension/node/memorySecrets.ts';
import { SeenItemsFile } from '../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';

export class ExtensionWorld {
  /** Holds `home` and `work`. */
  readonly root: string;
  readonly consent: ConsentService;
  readonly additions: LoadedCustomizations;
  readonly secrets = new MemorySecrets();
  disabled: readonly string[] = [];
  trusted = true;
  /** Absolute. */
  folders: readonly string[];

  private constructor(root: string) {
    this.root = root;
    this.folders = [join(root, 'work')];
    this.consent = new ConsentService(new SeenItemsFile(join(root, 'seen.txt')), () => this.trusted);
    this.additions = new LoadedCustomizations({
      files: new NodeCustomFiles(
        { home: join(root, 'home'), folders: () => this.folders },
        new NodeSettingsDocuments(),
      ),
      consent: this.consent,
      disabled: () => this.disabled,
      extensionValues: { variables: new NodeExtensionVariables(), secrets: this.secrets },
    });
  }

  static async make(): Promise<ExtensionWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'folio-extensions-')));
    await Promise.all(['home', 'work'].map(name => mkdir(join(root, name))));
    return new ExtensionWorld(root);
  }

  /** Absolute. */
  folderOf(extension: string): string {
    return join(this.root, 'home', '.gemini', 'extensions', extension);
  }

  /** @param manifest any value; a string is written unchanged */
  async install(extension: string, manifest: unknown, files: Readonly<Record<string, string>> = {}) {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    for (const [name, content] of Object.entries({ 'gemini-extension.json': text, ...files })) {
      const path = join(this.folderOf(extension), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    await this.additions.refresh();
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
