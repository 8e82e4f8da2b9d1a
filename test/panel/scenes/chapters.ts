/* Chapters, what is done to them, and what compression makes of them. */

import {
  compressedChapters,
  manyChapters,
  mentioning,
  pinned,
  restedChapters,
  untitled,
} from '../chapterScenes.ts';
import {
  breakdown,
  compressed,
  compressedTwice,
  compressing,
  paused,
  proposed,
  tooLarge,
  undone,
} from '../compressionScenes.ts';
import { importedSession } from '../importScenes.ts';
import { lostCache, savedByCache } from '../modelScenes.ts';
import { reviewing } from '../reviewScenes.ts';
import { asking } from '../scenario.ts';
import type { Scene } from './scene.ts';

export const chapterScenes: readonly Scene[] = [
  { name: 'chapters-rested', events: compressedChapters },
  { name: 'untitled', events: untitled },
  {
    name: 'chapter-actions',
    events: reviewing,
    act: async ({ page }) => page.locator('.chapter-line').last().hover(),
  },
  {
    name: 'chapter-menu',
    events: compressedChapters,
    act: async ({ page }) => {
      await page.locator('.chapter-line').last().hover();
      await page.getByRole('button', { name: 'More actions of chapter 3' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'chapter-renaming',
    events: restedChapters,
    act: async ({ page }) => {
      await page.locator('[data-chapter-heading]').last().focus();
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'Title of chapter 3' }).waitFor();
    },
  },
  {
    name: 'sticky-heading',
    events: manyChapters,
    options: { environment: { foldFinishedChapters: false } },
    act: async ({ page }) => {
      await page.getByRole('log').evaluate(log => {
        log.scrollTop = 900;
      });
    },
  },
  { name: 'mentions', events: mentioning },
  {
    name: 'pins',
    events: pinned,
    act: async ({ page }) => page.locator('.prompt').hover(),
  },
  { name: 'compressing', events: compressing },
  { name: 'compression-failed', events: paused },
  { name: 'compression', events: proposed },
  { name: 'compression-undone', events: undone },
  {
    name: 'compressed',
    events: compressedTwice,
    act: async ({ page }) => page.getByRole('button', { name: 'View the summary' }).last().click(),
  },
  { name: 'too-large', events: tooLarge },
  {
    name: 'tokens',
    events: asking,
    act: async panel => {
      await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
      await panel.send({ type: 'context.described', breakdown });
      await panel.page.getByText('84,000 of 200,000 tokens').waitFor();
    },
  },
  {
    name: 'cache-saved',
    events: savedByCache,
    act: async ({ page }) =>
      page
        .getByText(/9\d% cached, saved \$0\.\d\d/)
        .last()
        .waitFor(),
  },
  {
    name: 'cache-saved-tokens',
    events: savedByCache,
    act: async ({ page }) => {
      await page.getByRole('button', { name: /Show the breakdown/ }).click();
      await page.getByText('saved by the cache').waitFor();
    },
  },
  {
    name: 'tokens-lost',
    events: lostCache,
    act: async panel => {
      await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
      await panel.page.getByText(/cache was lost 2 times/).waitFor();
    },
  },
  {
    name: 'tokens-compressed',
    events: compressed,
    act: async panel => {
      await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
      await panel.send({ type: 'context.described', breakdown });
      await panel.page.getByText('84,000 of 200,000 tokens').waitFor();
    },
  },
  { name: 'imported-session', events: importedSession },
];
