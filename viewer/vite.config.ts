import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What is within the page of others says whose it is. */
const LICENSE = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8").replaceAll("\r", "").trim();

/** Puts script and style into the page, so that it is one file that asks for nothing. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no page");
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        const text = item.type === "chunk" ? item.code : String(item.source);
        const inline =
          item.type === "chunk"
            ? `<script type="module">/* three.js\n\n${LICENSE}\n*/\n${text.replaceAll("</script", "<\\/script")}</script>`
            : `<style>${text}</style>`;
        const link = new RegExp(`<(script|link)[^>]*"[^"]*${name.replaceAll(".", "\\.")}"[^>]*>(</script>)?`);
        if (!link.test(html)) throw new Error(`the page does not ask for ${name}`);
        html = html.replace(link, () => (item.type === "chunk" ? "" : inline));
        // the script needs the whole page, and what the program puts into it
        if (item.type === "chunk") html = html.replace("</body>", () => `${inline}\n</body>`);
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: "viewer.js", assetFileNames: "viewer.[ext]" } },
  },
});
