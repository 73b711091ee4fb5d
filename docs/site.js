// What the theme leaves out for screen readers and keyboards: names for the search and for the landmarks of copy
// buttons, and a focus for wide tables, which scroll.
const complete = () => {
  document.querySelector(".md-search:not([aria-label])")?.setAttribute("aria-label", "Search");
  document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((box) => {
    const number = document.querySelectorAll("nav.md-code__nav[aria-label]").length + 1;
    box.setAttribute("aria-label", `Code ${number}`);
  });
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((box) => { box.tabIndex = 0; });
};
new MutationObserver(complete).observe(document.documentElement, {childList: true, subtree: true});
complete();
