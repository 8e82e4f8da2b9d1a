/** Parts of the protocol that Folio uses. Servers omit the rest. */
export const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    // Without file operations, which nobody would review.
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    // Folio detects changes itself. A server that registers disables its own watcher.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {},
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: {},
    definition: { linkSupport: true },
    typeDefinition: { linkSupport: true },
    implementation: { linkSupport: true },
    callHierarchy: {},
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports'] },
      },
      dataSupport: true,
      disabledSupport: true,
      isPreferredSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    formatting: {},
    publishDiagnostics: { versionSupport: true },
    diagnostic: { relatedDocumentSupport: true },
  },
  window: { workDoneProgress: true },
} as const;
