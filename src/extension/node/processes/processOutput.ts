/** Where a process writes and how the host follows it. */
export interface ProcessOutput {
  /** For the child's standard output and error; the host closes it once the child has it. */
  readonly childEnd: number;
  /** Resolves when the process, which has ended by then, left nothing to deliver. Never rejects. */
  drain(): Promise<void>;
  /** Nobody listens any more. A program that still writes is not disturbed while the host lives. */
  detach(): void;
}

export type Sink = (bytes: Uint8Array) => void;
