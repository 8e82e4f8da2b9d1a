import type { ComponentChild } from 'preact';

/** A figure at its natural size, in pixels of the page. */
export interface Drawing {
  /** Says what is drawn to users who do not see it. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly view: ComponentChild;
}

/** Says to the user why nothing can be drawn. */
export class FigureError extends Error {}
