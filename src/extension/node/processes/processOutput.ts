/** Takes the output of a process and delivers it to a sink. */
export interface ProcessOutput {
  /** For the child's standard output and error. The host closes it after the start. */
  readonly childEnd: number;
  /** Call after the process has ended. Resolves when all output is delivered. Never rejects. */
  drain(): Promise<void>;
  /** Stops delivering. A program that still writes is not disturbed while the host lives. */
  detach(): void;
}

export type Sink = (bytes: Uint8Array) => void;
