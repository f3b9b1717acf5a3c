// Narrows the sidebar to what is typed; Enter goes to the first that is left.
const field = document.querySelector("#search"), found = document.querySelector("#found");
const links = [...document.querySelectorAll("nav li")];
const text = (link) => `${link.textContent} ${link.dataset.sought}`.toLowerCase();
field.form.hidden = false;
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const link of links) link.hidden = !words.every((word) => text(link).includes(word));
  const left = links.filter((link) => !link.hidden).length;
  found.textContent = field.value && `${left} / ${links.length}`;
});
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  links.find((link) => !link.hidden)?.querySelector("a").click();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === field) return;
  event.preventDefault();
  field.focus();
});
