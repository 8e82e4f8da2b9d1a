/* Changes to decide on, and going back behind them. */

import type { ProgramStatus } from '../../../src/protocol/events.ts';
import type { EmittedBody } from '../../support/emitted.ts';
import type { PanelPage } from '../panelPage.ts';
import {
  callFileChanges,
  commented,
  onlyRejected,
  restored,
  reviewing,
  reviewingChapters,
  reviewingWriters,
  rewound,
  twoTurns,
} from '../reviewScenes.ts';
import type { Scene } from './scene.ts';

function inWorktree(name: string): EmittedBody {
  const path = `/home/me/.folio/worktrees/shop-1f2e3d4c/${name}`;
  const worktree = { name, path, home: '/home/me/shop', base: '0'.repeat(40) };
  return { type: 'session.moved', folders: [path], worktree };
}

function serving(callId: string, more: Partial<ProgramStatus> = {}): EmittedBody {
  const program: ProgramStatus = {
    command: 'npm run dev',
    pid: 4242,
    status: 'running',
    address: 'http://localhost:5173/',
    errors: 0,
    ...more,
  };
  return { type: 'program.changed', callId, program };
}

async function unfoldReview({ page }: PanelPage): Promise<void> {
  await page.locator('.review .strip-toggle').click();
}

export const changeScenes: readonly Scene[] = [
  { name: 'review', events: reviewing },
  { name: 'comments', events: [...reviewing, commented('r1', 1, 2, 'Why round here?')] },
  { name: 'program', events: [...reviewing, serving('p1')] },
  {
    name: 'programs',
    events: [
      ...reviewing,
      serving('p1', { errors: 2, kept: true }),
      serving('p2', { command: 'npx tsc --build --watch packages/*/tsconfig.json', address: undefined }),
      serving('p3', { command: 'python3 -m http.server', status: 'ended', exit: '1', errors: 1 }),
    ],
  },
  { name: 'worktree', events: [...reviewing, inWorktree('invoices-in-euros-and-pounds')] },
  {
    name: 'worktree-conflict',
    events: [
      ...reviewing,
      inWorktree('invoices-in-euros-and-pounds'),
      { type: 'worktree.settled', left: 2, conflicts: 2 },
    ],
  },
  {
    name: 'worktree-done',
    events: [
      ...reviewing,
      inWorktree('invoices-in-euros-and-pounds'),
      { type: 'worktree.settled', left: 0, conflicts: 0 },
    ],
  },
  {
    name: 'container',
    events: [
      ...reviewing,
      {
        type: 'session.moved',
        folders: ['/home/me/shop'],
        container: { inside: '/workspaces/shop-with-a-name-that-fills-the-line' },
      },
    ],
  },
  { name: 'review-rejected', events: onlyRejected, act: unfoldReview },
  {
    name: 'review-list',
    events: reviewing,
    act: async panel => {
      await unfoldReview(panel);
      await panel.page.locator('.review-file [data-toggle]').first().click();
    },
  },
  { name: 'review-chapters', events: reviewingChapters, act: unfoldReview },
  {
    name: 'review-writers',
    events: reviewingWriters,
    act: async panel => {
      await unfoldReview(panel);
      await panel.page.getByLabel('Group changes by').selectOption('writer');
      await panel.page.locator('.review-file [data-toggle]').nth(1).click();
    },
  },
  {
    name: 'aftermath',
    events: callFileChanges,
    act: async ({ page }) => page.getByText('Changed 2 files').click(),
  },
  {
    name: 'prompt-actions',
    events: twoTurns,
    act: async ({ page }) => page.locator('.prompt').last().hover(),
  },
  {
    name: 'prompt-actions-by-key',
    events: twoTurns,
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Edit and resend' }).nth(1).focus();
      await page.keyboard.press('Tab');
    },
  },
  {
    name: 'rewinding',
    events: twoTurns,
    act: async panel => {
      await panel.page.getByRole('button', { name: 'Rewind…' }).last().click();
      const { to } = await panel.intention('rewind.preview');
      await panel.send({ type: 'rewind.previewed', to, files: restored });
      await panel.page.getByText('merged with your edits').waitFor();
    },
  },
  {
    name: 'resending',
    events: twoTurns,
    act: async panel => {
      await panel.page.getByRole('button', { name: 'Edit and resend' }).last().click();
      const { to } = await panel.intention('rewind.preview');
      await panel.send({ type: 'rewind.previewed', to, files: restored.slice(0, 1) });
    },
  },
  { name: 'rewound', events: [...twoTurns, rewound('both')] },
  { name: 'undone', events: [...twoTurns, rewound('files')] },
];
