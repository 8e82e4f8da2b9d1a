import type { PanelState } from '../../../protocol/panel/panelState.ts';
import { findPatches, type Patch } from '../../../protocol/panel/patches.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { defaultExcerptLimits, Excerpt } from './excerpt.ts';

export class ShownSession {
  private readonly excerpt: Excerpt;
  state: PanelState;

  /** @param bounds of what the page gets at once */
  constructor(session: SessionState, bounds = defaultExcerptLimits) {
    this.excerpt = new Excerpt(session, bounds);
    this.state = this.excerpt.of(session);
  }

  /** Includes the items of a chapter, or of the subagent that this call started, from the next update on. */
  open(id: string): void {
    this.excerpt.open(id);
  }

  /** Returns the patches for the page. The session must be the same one. */
  update(session: SessionState): readonly Patch[] {
    const known = this.state;
    this.state = this.excerpt.of(session);
    return findPatches(known, this.state);
  }
}
