/* Limits that an organisation sets in its own settings file. No other source can weaken them. */

export interface Restrictions {
  /** Allowed modes, besides `plan`, which is read-only; absent if all are. */
  readonly modes?: readonly ('default' | 'autoEdit' | 'plan' | 'yolo')[] | undefined;
  /** Returns why a provider must not be used; `undefined` if it may. */
  refuseProvider(provider: string): string | undefined;
  /** Returns why a model must not be used; `undefined` if it may. @param id as the provider names it */
  refuseModel(provider: string, id: string): string | undefined;
  /** Returns the allowed models of a list. Returns the same object for the same list. */
  pickModels<Model extends { readonly id: string }>(
    provider: string,
    models: readonly Model[],
  ): readonly Model[];
  /** Returns why a server must not run; `undefined` if it may. */
  refuseServer(server: ServerToStart): string | undefined;
}

/** A server as it would be started or contacted, with all variables resolved. */
export interface ServerToStart {
  readonly name: string;
  /** The program and its arguments. */
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
}
