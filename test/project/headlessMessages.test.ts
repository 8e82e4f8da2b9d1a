import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessMessages } from '../../src/extension/headless/headlessMessages.ts';
import { readSources, repositoryRoot } from '../support/sourceFiles.ts';

/** Parts that run only in a window, or not in the product. */
const ofWindow = /^src\/(webview|extension\/(vscode|compose|rehearsal))\//;
/** A command of the palette, or a setting of VS Code itself. */
const palette = /\bFolio: [A-Z]|\bhttp\.proxy\b|[Cc]ommand [Pp]alette/;
/** A page of settings, where a program without a window has a file, an option or a variable. */
const settingsPage =
  /\bin the settings\b|\bsettings? (?:folio\.|\{\d\})|"folio\.sandbox"|\bfolio\.(?:provider|baseUrl)\b/;
/** A label in quotes, as that of a button, or a part of the window. */
const button = /["“][A-Z][a-z]+(?: [A-Z][a-z]+)+["”]|\b(?:button|[Cc]lick|side ?bar|status bar)\b/;
const wayOfWindow = new RegExp([palette, settingsPage, button].map(({ source }) => source).join('|'));

const bundle = join(repositoryRoot, 'l10n', 'bundle.l10n.json');
const messages = Object.keys(JSON.parse(await readFile(bundle, 'utf8')) as Record<string, string>);
const sources = (await readSources('src')).filter(({ path }) => !ofWindow.test(path));
const texts = sources.filter(({ path }) => !path.endsWith('/headlessMessages.ts')).map(({ text }) => text);

/** As the source may write it. */
const isSaid = (message: string) =>
  texts.some(text => text.includes(message) || text.includes(message.replaceAll("'", "\\'")));
const placeholders = (message: string) => [...message.matchAll(/\{\d\}/g)].map(([each]) => each).toSorted();

const naming = messages.filter(message => wayOfWindow.test(message) && isSaid(message));

describe('what a program without a window says', () => {
  it('is looked for where there is something to find', () => {
    expect(naming.length).toBeGreaterThan(25);
  });

  it.each(naming)('has words of its own for: %s', message => {
    const own = headlessMessages[message];
    expect(own).toBeDefined();
    expect(own).not.toMatch(wayOfWindow);
  });

  it.each(Object.entries(headlessMessages))('still replaces: %s', (message, own) => {
    expect(messages).toContain(message);
    // What the window says about a key's provider may be all that is left out.
    expect(placeholders(message)).toEqual(expect.arrayContaining(placeholders(own)));
  });
});
