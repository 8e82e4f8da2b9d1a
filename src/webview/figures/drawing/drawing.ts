import type { ComponentChild } from 'preact';

/** A figure in its natural size, in CSS pixels. */
export interface Drawing {
  /** Accessible name. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly view: ComponentChild;
}

/** An error for the user: why nothing can be drawn. */
export class FigureError extends Error {}
