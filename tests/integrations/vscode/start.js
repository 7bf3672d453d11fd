// SPDX-License-Identifier: MIT
/* Starts the VS Code of workbench.html. */
const paths = Object.fromEntries(Object.entries(self.webPackagePaths)
    .map(([name, path]) => [name, `${location.origin}/dist/node_modules/${name}/${path}`]));
const folder = (path) => ({ scheme: 'http', authority: location.host, path });
const theme = new URLSearchParams(location.search).get('theme');

require.config({ baseUrl: `${location.origin}/dist/out`, recordStats: false, paths });
require(['vs/workbench/workbench.web.main'], ({ create, URI }) => {
    const reveal = ({ scheme, authority, path }) => URI.from({ scheme, authority, path });
    const workspace = { folderUri: URI.from({ scheme: 'workspace', path: '/' }) };

    create(document.body, {
        additionalBuiltinExtensions: [reveal(folder('/txtap')), reveal(folder('/workspace'))],
        configurationDefaults: { 'workbench.startupEditor': 'none', 'workbench.colorTheme': theme, 'telemetry.telemetryLevel': 'off' },
        productConfiguration: { enableTelemetry: false },
        webviewEndpoint: `http://{{uuid}}.localhost:${location.port}/dist/out/vs/workbench/contrib/webview/browser/pre`,
        workspaceProvider: { workspace, trusted: false, open: async () => false },
    });
});
