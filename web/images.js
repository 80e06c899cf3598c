// Images on request. Nothing of a page is loaded by itself; who would be asked for its images is said first,
// and the policy of the frame lets nobody else be asked.
import { count, h } from "./dom.js";

const MOST_HOSTS = 20;

/** Says whom the images come from; `load` gets their origins if the person agrees. */
export function askForImages(images, notify, load) {
  const hosts = Map.groupBy(images, ([, address]) => address.origin);
  const asked = [...hosts].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_HOSTS);
  const names = asked.map(([origin, own]) => `${new URL(origin).host} (${own.length})`).join(", ");
  const left = hosts.size > asked.length ? ` Those of ${count(hosts.size - asked.length, "further host")} are left out.` : "";
  notify(
    `The images of this page are on ${count(asked.length, "host")}: ${names}.${left} Loading them tells these hosts your internet address, and that somebody looks at this page.`,
    h("button", {
      onclick: () => {
        notify(null);
        load(asked.map(([origin]) => origin));
      },
    }, "Load images"),
  );
}
